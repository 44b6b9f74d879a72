/** Thrown when a batch can be imported only later. The import continues with this batch after `waitMs`. */
export class ImportMustWait extends Error {
  readonly waitMs: number

  constructor(why: string, waitMs: number) {
    super(why)
    this.waitMs = waitMs
  }
}
