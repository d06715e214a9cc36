/** What a leaf saw. */
export interface LeafExplanation {
  path: string;
  /** For people: `12.50`, `5 purchases in 60 minutes, limit 4`. Null: the attempt has no such value. */
  value: string | null;
  result: boolean;
}

export interface Explanation {
  result: boolean;
  leaves: readonly LeafExplanation[];
}
