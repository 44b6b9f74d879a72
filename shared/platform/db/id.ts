import { v7 } from 'uuid'

/** A new UUIDv7: made by the application, so that a row's key is known before it is written, and sorted by time. */
export const newId = (): string => v7()

/** What every id made at `time` or later is not below. */
export const minIdAt = (time: Date): string =>
  v7({ msecs: time.getTime(), seq: 0, random: new Uint8Array(16) })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL's uuid type takes the text as it stands (stricter than `format: uuid`, which lets `urn:uuid:` in). */
export const isUuid = (text: string): boolean => UUID.test(text)

/** A UUID's 16 bytes, for tokens that carry one. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** The UUID of 16 bytes. */
export const uuidFromBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
