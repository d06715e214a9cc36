import type { FastifyRequest } from 'fastify';

const OPTIONS = Symbol('route options');

export type Routed = Pick<FastifyRequest, 'routeOptions'>;

/** The options of the request's route. Cached: Fastify builds this object on every access. */
export const routeOf = (request: Routed & { [OPTIONS]?: Routed['routeOptions'] }): Routed['routeOptions'] =>
  (request[OPTIONS] ??= request.routeOptions);
