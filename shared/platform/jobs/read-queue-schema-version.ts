import { db } from '#shared/platform/db/db.ts'

/** Returns the version of pg-boss's schema. Throws if the schema is missing. */
export const readQueueSchemaVersion = () => db().raw('select version from pgboss.version')
