import type { PostalAddress } from '#shared/geo/address.ts'
import { countryNamed, isCountry, isZoneOf } from '#shared/geo/countries.ts'
import type { CustomerColumn, CustomerReader } from './columns.ts'

/** The cells that every address needs. */
const REQUIRED = ['address_1', 'address_city', 'address_postcode', 'address_country'] as const

/**
 * Reads the address of a row; null without one. An incomplete address, or one in an unknown country, is a warning: the
 * customer is imported without it.
 */
export function readCustomerAddress(reader: CustomerReader, language: string): PostalAddress | null {
  // Shopify exports the country of customers without an address.
  if (STREET.every((column) => reader.isBlank(column))) return null
  const missing = REQUIRED.find((column) => reader.isBlank(column))
  if (missing) {
    reader.warn(missing, 'The address is incomplete and is not imported', '')
    return null
  }
  const country = readCountry(reader, language)
  if (country === null) return null
  const zone = readZone(reader, country)
  const telephone = reader.code('address_telephone', 40)
  const optional = { company: reader.text('address_company', 200), address_2: reader.text('address_2', 200) }
  return {
    firstname: reader.text('address_firstname', 100) ?? reader.text('firstname', 100) ?? '',
    lastname: reader.text('address_lastname', 100) ?? reader.text('lastname', 100) ?? '',
    address_1: reader.text('address_1', 200) ?? '',
    city: reader.text('address_city', 100) ?? '',
    postcode: reader.code('address_postcode', 20) ?? '',
    country,
    ...omitNulls({ ...optional, zone, telephone }),
  }
}

const STREET: CustomerColumn[] = ['address_1', 'address_city', 'address_postcode']

const omitNulls = <T extends Record<string, string | null>>(fields: T): { [K in keyof T]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: string
  }

/** Returns a country by its code, or by its name in English or the language of the store. */
function readCountry(reader: CustomerReader, language: string): string | null {
  const text = reader.text('address_country', 100) ?? ''
  const code = text.toUpperCase()
  if (isCountry(code)) return code
  const named = countryNamed(text, language) ?? countryNamed(text, 'en')
  if (named) return named
  reader.warn(
    'address_country',
    'Unknown country. Write its code (ISO 3166-1) like DE. The address is not imported',
    text,
  )
  return null
}

/** Returns a zone by its code (ISO 3166-2), which may lack the prefix of its country: `DE-BE` or `BE`. */
function readZone(reader: CustomerReader, country: string): string | null {
  const text = reader.text('address_zone', 100)?.toUpperCase()
  if (text === undefined) return null
  const code = [text, `${country}-${text}`].find((zone) => isZoneOf(zone, country))
  if (code) return code
  reader.warn(
    'address_zone',
    `${country} has no such zone (ISO 3166-2). The address is imported without it`,
    text,
  )
  return null
}
