// Said: how a person answers a question.

export type Said =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'back' }
  /** What the profile says of it is to be taken out. */
  | { readonly kind: 'unset' }
  /** The input came to its end: nobody can answer any more. */
  | { readonly kind: 'left' }
