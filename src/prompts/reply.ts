// The reply to a question.

export type Reply =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'back' }
  /** Removes the setting from the profile. */
  | { readonly kind: 'unset' }
  /** The input ended. */
  | { readonly kind: 'left' }
