import type { FactorOwner } from './factor-owner.ts'

/** A second factor: a secret shared with an app (TOTP, RFC 6238). It counts once it was switched on. */
export interface TwoFactor {
  sealed_secret: string
  /** The time step of the last code that was accepted. */
  last_step: number
  created_at: Date
  enabled_at: Date | null
}

/** The owner's row. */
export const factorRow = ({ knex, tables, columns }: FactorOwner) => knex(tables.factors).where(columns)

/** The owner's second factor, switched on or not; undefined without one. */
export const findTwoFactor = async (owner: FactorOwner): Promise<TwoFactor | undefined> =>
  factorRow(owner).first()
