import type { ReencryptCounts } from '#shared/platform/secrets/reencrypt-secrets.ts'

/** What was found of one kind of secret. */
export class Tally implements ReencryptCounts {
  renewed = 0
  current = 0
  unopened: string[] = []
  /** Audit logs that no key proves. */
  broken: string[] = []
  /** Those that end by themselves and are by an older key, and when the last of them ends. */
  passing = 0
  until: Date | null = null

  add(found: Partial<Tally>): void {
    const { renewed = 0, current = 0, unopened = [], broken = [], passing = 0, until = null } = found
    this.renewed += renewed
    this.current += current
    this.unopened.push(...unopened)
    this.broken.push(...broken)
    this.passing += passing
    if (until && (!this.until || this.until < until)) this.until = until
  }
}
