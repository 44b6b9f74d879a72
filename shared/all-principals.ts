/** Loads every principal that can sign in, so that each process knows all of them. */
import '#shared/customers/account/principal.ts'
import '#shared/staff/principal.ts'
import '#shared/super-admin/principal.ts'
