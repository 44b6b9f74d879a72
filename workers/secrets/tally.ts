import type { Renewed } from '#shared/platform/renew-secrets.ts'

/** What was found of one kind of secret. */
export class Tally implements Renewed {
  renewed = 0
  current = 0
  unopened: string[] = []
  /** Those that end by themselves and are by an older key, and when the last of them ends. */
  passing = 0
  until: Date | null = null

  add({ renewed = 0, current = 0, unopened = [], passing = 0, until = null }: Partial<Tally>): void {
    this.renewed += renewed
    this.current += current
    this.unopened.push(...unopened)
    this.passing += passing
    if (until && (!this.until || this.until < until)) this.until = until
  }
}
