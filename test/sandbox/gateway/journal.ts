import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * An append-only file of JSON lines, one per commit. A line is written before its response is sent, so every
 * response survives a crash of the gateway. Without a file, nothing is stored.
 */
export class Journal<Line> {
  readonly #file: string | undefined
  #descriptor: number | undefined

  constructor(file?: string) {
    this.#file = file
  }

  /** Reads the file, cuts off an incomplete last line, and opens the file for appending. */
  open(replay: (line: Line) => void) {
    if (!this.#file) return
    mkdirSync(path.dirname(this.#file), { recursive: true })
    if (existsSync(this.#file)) {
      const content = readFileSync(this.#file)
      const end = content.lastIndexOf(10) + 1
      for (const line of content.subarray(0, end).toString('utf8').split('\n')) {
        if (line) replay(JSON.parse(line) as Line)
      }
      if (end < content.length) truncateSync(this.#file, end)
    }
    this.#descriptor = openSync(this.#file, 'a', 0o600)
  }

  append(line: Line) {
    if (this.#descriptor !== undefined) writeSync(this.#descriptor, `${JSON.stringify(line)}\n`)
  }

  close() {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}
