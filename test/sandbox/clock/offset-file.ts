import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Reads by how many milliseconds the sandbox's time is ahead. Throws when the file is missing or invalid. */
export function readOffset(file: string): number {
  const { offset_ms } = JSON.parse(readFileSync(file, 'utf8')) as { offset_ms?: unknown }
  if (!Number.isSafeInteger(offset_ms) || (offset_ms as number) < 0)
    throw new Error(`${file} has no offset_ms that is a whole number of milliseconds from 0`)
  return offset_ms as number
}

/** Reads the offset, or stores 0 at the first start. */
export function openOffset(file: string): number {
  try {
    return readOffset(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    writeOffset(file, 0)
    return 0
  }
}

/** Stores the offset in one step: a reader sees the old one or the new one. */
export function writeOffset(file: string, offsetMs: number): void {
  writeFileSync(`${file}.new`, `${JSON.stringify({ offset_ms: offsetMs })}\n`)
  renameSync(`${file}.new`, file)
}
