import type { ReencryptCounts } from '#shared/platform/secrets/reencrypt-kind.ts'

/** Counts of one kind of secret. */
export class Tally implements ReencryptCounts {
  renewed = 0
  current = 0
  unopened: string[] = []
  /** Audit logs with a broken chain. */
  broken: string[] = []
  /** The number of expiring secrets with an older key, and the time when the last one expires. */
  expiring = 0
  until: Date | null = null

  add(found: Partial<Tally>): void {
    const { renewed = 0, current = 0, unopened = [], broken = [], expiring = 0, until = null } = found
    this.renewed += renewed
    this.current += current
    this.unopened.push(...unopened)
    this.broken.push(...broken)
    this.expiring += expiring
    if (until && (!this.until || this.until < until)) this.until = until
  }
}
