/** Returns canonical JSON (RFC 8785) with sorted names and no spaces. Equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`)
  return `{${members.join(',')}}`
}
