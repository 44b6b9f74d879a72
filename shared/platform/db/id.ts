import { NIL, v7 } from 'uuid'

/** An id that no row has. It sorts before all others. */
export const NIL_ID: string = NIL

/** Returns a new UUIDv7. The application makes it, so a row's key is known before the insert, and keys sort by time. */
export const newId = (): string => v7()

/** Returns an id that sorts by a time in the past. `random` has 16 bytes; the same bytes and time make the same id. */
export const idAt = (time: Date, random: Uint8Array): string => v7({ msecs: time.getTime(), random })

/** Returns the lowest id that `newId` can make at `time`. */
export const minIdAt = (time: Date): string =>
  v7({ msecs: time.getTime(), seq: 0, random: new Uint8Array(16) })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Whether PostgreSQL's uuid type accepts the text. Ajv's `format: uuid` also accepts `urn:uuid:`, which PostgreSQL does
 * not.
 */
export const isUuid = (text: string): boolean => UUID.test(text)

/** Returns the 16 bytes of a UUID. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** Returns the UUID made of 16 bytes. */
export const uuidFromBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Removes duplicate ids. A client may send one in upper case too. */
export const uniqueIds = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))]
