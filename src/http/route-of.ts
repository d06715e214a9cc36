import type { FastifyRequest } from 'fastify';

const OPTIONS = Symbol('route options');

export type Routed = Pick<FastifyRequest, 'routeOptions'>;

/** The options of the request's route. Fastify puts them together anew whenever it is asked, so it is asked once. */
export const routeOf = (request: Routed & { [OPTIONS]?: Routed['routeOptions'] }): Routed['routeOptions'] =>
  (request[OPTIONS] ??= request.routeOptions);
