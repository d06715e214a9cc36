/** For whoever asked for what cannot be: the sentence says what to do, and where in the code it was found says nothing. */
export function refusal(sentence: string): Error {
  const error = new Error(sentence);
  error.stack = sentence;
  return error;
}
