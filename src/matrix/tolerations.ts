// Whether a toleration holds for a taint, as the scheduler decides.

export interface Taint {
  readonly key: string
  readonly value: string
  readonly effect: string
}

export interface Toleration extends Taint {
  readonly operator: string
}

/**
 * Missing fields are empty. An empty key or effect is for all of them.
 * https://github.com/kubernetes/api/blob/master/core/v1/toleration.go (ToleratesTaint)
 */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(({ key, operator, value, effect }) => {
    if (effect !== '' && effect !== taint.effect) return false
    if (key !== '' && key !== taint.key) return false
    return operator === 'Exists' || (['', 'Equal'].includes(operator) && value === taint.value)
  })
}
