/** Thrown by the import of a batch that can succeed only later. The import continues with it after `waitMs`. */
export class ImportMustWait extends Error {
  readonly waitMs: number

  constructor(why: string, waitMs: number) {
    super(why)
    this.waitMs = waitMs
  }
}
