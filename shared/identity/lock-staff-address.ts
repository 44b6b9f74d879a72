import type { Knex } from 'knex'

/**
 * Lets those who want an address for a member of any staff, or for a super-admin, come one after another, until the
 * transaction ends. Each asks the other's table whether the address is free, and would miss what is under way there.
 */
export async function lockStaffAddress(knex: Knex, emailNormalized: string): Promise<void> {
  await knex.raw("select pg_advisory_xact_lock(hashtextextended('staff_address ' || ?, 0))", [
    emailNormalized,
  ])
}
