import { v7 } from 'uuid'

/** A new UUIDv7: made by the application, so that a row's key is known before it is written, and sorted by time. */
export const newId = (): string => v7()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL's uuid type takes the text as it stands (stricter than `format: uuid`, which lets `urn:uuid:` in). */
export const isUuid = (text: string): boolean => UUID.test(text)
