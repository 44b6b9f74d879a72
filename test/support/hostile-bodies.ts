const repeat = (part: string, bytes: number): string =>
  Array.from({ length: Math.floor(bytes / (part.length + 1)) }, () => part).join()
const keys = (bytes: number, value: string): string =>
  Array.from(
    { length: Math.floor(bytes / (value.length + 11)) },
    (_, n) => `"${`k${n}`.padEnd(8, '_')}":${value}`,
  ).join()

/** JSON that is expensive to parse, check or report, of about so many bytes each. `field` is a list of the operation. */
export const hostileBodies = (bytes: number, field: string): string[] => [
  '['.repeat(bytes),
  `${'{"a":'.repeat(Math.floor(bytes / 6))}1${'}'.repeat(Math.floor(bytes / 6))}`,
  `[${repeat('0', bytes)}]`,
  `{${keys(bytes, '{}')}}`,
  `{"${field}":[${repeat('{}', bytes)}]}`,
  `{"${field}":[${repeat('{"x":"y"}', bytes)}]}`,
  `{"${field}":[${repeat('null', bytes)}]}`,
  `{"${field}":{${keys(bytes, '0')}}}`,
  `"${'\\u0000'.repeat(Math.floor(bytes / 6))}"`,
  `{"${field}":"${'a-'.repeat(Math.floor(bytes / 2))}"}`,
]
