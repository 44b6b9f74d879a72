import type { Knex } from 'knex'
import type { FactorOwner } from '#shared/identity/two-factor/factor-owner.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'

export const superAdminFactorSecrets = defineSecrets(
  'second factors of super-admins',
  { scope: 'platform', table: 'super_admin_two_factor', columns: ['sealed_secret'] },
  ({ superAdminId }: { superAdminId: string }) => `two_factor super_admin ${superAdminId}`,
)

/** A super-admin, whose second factor stands outside the stores. */
export const factorOwner = (knex: Knex, superAdminId: string): FactorOwner => ({
  knex,
  tables: { factors: 'super_admin_two_factor', recoveryCodes: 'super_admin_recovery_codes' },
  columns: { super_admin_id: superAdminId },
  secret: superAdminFactorSecrets.of({ superAdminId }),
})
