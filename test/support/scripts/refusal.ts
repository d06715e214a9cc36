/** A usage error: prints its message without a stack. */
export function refusal(sentence: string): Error {
  const error = new Error(sentence);
  error.stack = sentence;
  return error;
}
