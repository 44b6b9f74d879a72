import { v7 } from 'uuid'

/** A new UUIDv7. The application makes it, so a row's key is known before the insert, and keys sort by time. */
export const newId = (): string => v7()

/** The id of a row of the past, which sorts by its time. `random` has 16 bytes: the same ones make the same id. */
export const idAt = (time: Date, random: Uint8Array): string => v7({ msecs: time.getTime(), random })

/** The lowest id that `newId` can make at `time`. */
export const minIdAt = (time: Date): string =>
  v7({ msecs: time.getTime(), seq: 0, random: new Uint8Array(16) })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL's uuid type accepts the text. Stricter than Ajv's `format: uuid`, which accepts `urn:uuid:`. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** The 16 bytes of a UUID. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** The UUID made of 16 bytes. */
export const uuidFromBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Removes duplicate ids. A client may send one in upper case too. */
export const uniqueIds = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))]
