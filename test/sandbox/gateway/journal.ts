import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * An append-only file of JSON lines, one a change. A line is written before its answer goes out, so what a
 * client was told survives a kill of the gateway. Without a file, nothing is kept.
 */
export class Journal<Line> {
  readonly #file: string | undefined
  #descriptor: number | undefined

  constructor(file?: string) {
    this.#file = file
  }

  /** Reads what is there, cuts off a last line that a kill left unfinished, and opens the file for more. */
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
