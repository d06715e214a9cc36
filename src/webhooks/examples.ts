export const EXAMPLE_ENDPOINT = {
  id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  url: 'https://merchant.example/webhooks',
  eventTypes: null,
  status: 'ENABLED',
  statusReason: null,
  created: '2026-11-15T08:30:00+0000',
};

export const EXAMPLE_TEST = {
  delivered: true,
  eventId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e60',
  statusCode: 200,
  error: null,
  durationMs: 41,
};

export const EXAMPLE_EVENT = {
  eventType: 'card',
  eventName: 'card.frozen',
  eventId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e61',
  created: '2026-11-15T08:30:00+0000',
  data: { cardId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e62', status: 'FROZEN', sequence: 2 },
  deliveries: [
    {
      endpointId: EXAMPLE_ENDPOINT.id,
      url: EXAMPLE_ENDPOINT.url,
      status: 'DELIVERED',
      nextAttempt: null,
      attempts: [
        {
          created: '2026-11-15T08:30:00+0000',
          statusCode: 200,
          error: null,
          answerStart: 'ok',
          durationMs: 41,
        },
      ],
    },
  ],
};
