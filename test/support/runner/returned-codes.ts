import { appendFileSync } from 'node:fs'

const recorded = new Set<string>()

/**
 * Notes the error code of an operation's response in the file RETURNED_CODES, if that is set: one line for each pair.
 */
export function recordReturnedCode(operation: string, code: string): void {
  const file = process.env.RETURNED_CODES
  const line = `${operation} ${code}\n`
  if (!file || recorded.has(line)) return
  recorded.add(line)
  appendFileSync(file, line)
}
