/** Loads every principal that can sign in, so that each process knows all of them. */
import '#shared/customers/account/principal.ts'
import './staff/principal.ts'
import './super-admin/principal.ts'
