import { JsonText, Reply } from '../output/reply.ts'

/** The `data` of a handler's outcome. */
export function dataOf(outcome: unknown): unknown {
  const data = outcome instanceof Reply ? outcome.data : outcome
  return data instanceof JsonText ? JSON.parse(data.text) : data
}
