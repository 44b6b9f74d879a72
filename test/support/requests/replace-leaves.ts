/** Replaces each leaf of a JSON value in turn. */
export function* replaceLeaves(value: unknown, replacement: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries())
      for (const inner of replaceLeaves(item, replacement)) yield value.with(i, inner)
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value))
      for (const inner of replaceLeaves(item, replacement)) yield { ...value, [key]: inner }
  } else yield replacement
}
