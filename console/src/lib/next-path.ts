/** The page to continue with after signing in. Only paths of the console: a link must not lead to another site. */
export const nextPath = ({
  next,
  refused,
}: Record<string, unknown>): { next?: string /** Why OpenID refused. */; refused?: string } => ({
  ...(typeof next === 'string' && /^\/(?!\/)/.test(next) && { next }),
  ...(typeof refused === 'string' && { refused }),
});
