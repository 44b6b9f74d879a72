const repeat = (part: string, bytes: number): string =>
  Array.from({ length: Math.floor(bytes / (part.length + 1)) }, () => part).join()
const keys = (bytes: number, value: string): string =>
  Array.from(
    { length: Math.floor(bytes / (value.length + 11)) },
    (_, n) => `"${`k${n}`.padEnd(8, '_')}":${value}`,
  ).join()

/**
 * JSON that is expensive to parse, check or report, of about `bytes` bytes each, by kind. `field` is a list of the
 * operation.
 */
export const hostileBodies = (bytes: number, field: string): Record<string, string> => ({
  'nested lists': '['.repeat(bytes),
  'nested objects': `${'{"a":'.repeat(Math.floor(bytes / 6))}1${'}'.repeat(Math.floor(bytes / 6))}`,
  'list in place of an object': `[${repeat('0', bytes)}]`,
  'unknown fields': `{${keys(bytes, '{}')}}`,
  'objects with a name each': `[${Array.from({ length: Math.floor(bytes / 14) }, (_, n) => `{"a${n}":1}`).join()}]`,
  'empty items': `{"${field}":[${repeat('{}', bytes)}]}`,
  'items with an unknown field': `{"${field}":[${repeat('{"x":"y"}', bytes)}]}`,
  'items that are null': `{"${field}":[${repeat('null', bytes)}]}`,
  'object in place of a list': `{"${field}":{${keys(bytes, '0')}}}`,
  'text of escapes': `"${'\\u0000'.repeat(Math.floor(bytes / 6))}"`,
  'long text': `{"${field}":"${'a-'.repeat(Math.floor(bytes / 2))}"}`,
})
