import type { Knex } from 'knex'
import type { FactorOwner } from '../accounts/two-factor/factor-owner.ts'

/** A super-admin, whose second factor stands outside the stores. */
export const factorOwner = (knex: Knex, superAdminId: string): FactorOwner => ({
  knex,
  tables: { factors: 'super_admin_two_factor', recoveryCodes: 'super_admin_recovery_codes' },
  columns: { super_admin_id: superAdminId },
  sealContext: `two_factor super_admin ${superAdminId}`,
})
