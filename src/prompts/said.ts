// The reply to a question.

export type Said =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'back' }
  /** Remove the setting from the profile. */
  | { readonly kind: 'unset' }
  /** The input ended. */
  | { readonly kind: 'left' }
