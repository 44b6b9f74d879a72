import type { PostalAddress } from '#shared/geo/address.ts'
import type { Chance } from './chance.ts'

const FIRSTNAMES = (
  'Anna Ben Clara David Emma Finn Greta Henrik Ida Jonas Karla Lars Mia Nils Olga Paul Rosa Stefan Tilda Uwe ' +
  'Vera Wim Yara Zoe Freja Oskar Signe Mikkel Astrid Rasmus'
).split(' ')
const LASTNAMES = (
  'Andersen Bauer Christensen Dahl Eriksen Fischer Graf Hansen Iversen Jensen Keller Larsen Maier Nielsen Olsen ' +
  'Petersen Richter Schulz Thomsen Vogel Weber Winther Zimmer Brandt Holst Krause Lorenz Mørk Sommer Wagner'
).split(' ')
const STREETS = ['Harbour Street', 'Mill Lane', 'Church Road', 'Station Road', 'Garden Row', 'Market Square']

interface Town {
  country: string
  city: string
  postcode: string
  prefix: string
}

const TOWNS: readonly Town[] = [
  { country: 'DE', city: 'Hamburg', postcode: '20457', prefix: '+49 40' },
  { country: 'DE', city: 'Bremen', postcode: '28195', prefix: '+49 421' },
  { country: 'DE', city: 'Kiel', postcode: '24103', prefix: '+49 431' },
  { country: 'DE', city: 'Leipzig', postcode: '04109', prefix: '+49 341' },
  { country: 'DK', city: 'København', postcode: '1050', prefix: '+45 33' },
  { country: 'DK', city: 'Aarhus', postcode: '8000', prefix: '+45 86' },
  { country: 'DK', city: 'Odense', postcode: '5000', prefix: '+45 66' },
  { country: 'NL', city: 'Utrecht', postcode: '3511 AA', prefix: '+31 30' },
  { country: 'AT', city: 'Graz', postcode: '8010', prefix: '+43 316' },
  { country: 'SE', city: 'Malmö', postcode: '211 20', prefix: '+46 40' },
  { country: 'CH', city: 'Basel', postcode: '4051', prefix: '+41 61' },
  { country: 'NO', city: 'Bergen', postcode: '5003', prefix: '+47 55' },
]
const AT_HOME = 0.8
/** The end of every buyer's e-mail address. */
export const BUYERS_DOMAIN = '@buyers.example'

export interface Person {
  email: string
  firstname: string
  lastname: string
  telephone: string
  address: PostalAddress
}

/** A buyer, most often from the store's own country. `number` makes the e-mail address unique. */
export function drawPerson(chance: Chance, home: string | null, number: number | string): Person {
  const [firstname, lastname] = [chance.pick(FIRSTNAMES), chance.pick(LASTNAMES)]
  const domestic = TOWNS.filter(({ country }) => country === home)
  const town = chance.pick(domestic.length && chance.isTrue(AT_HOME) ? domestic : TOWNS)
  const { country, city, postcode, prefix } = town
  const address = { address_1: `${chance.pick(STREETS)} ${1 + chance.below(120)}`, city, postcode, country }
  return {
    email: `${firstname}.${lastname.replace('ø', 'o')}.${number}${BUYERS_DOMAIN}`.toLowerCase(),
    firstname,
    lastname,
    telephone: `${prefix} ${100_000 + chance.below(900_000)}`,
    address: { firstname, lastname, ...address },
  }
}

/** The places that buyers are from. */
export const COUNTRIES_OF_BUYERS: readonly string[] = [...new Set(TOWNS.map(({ country }) => country))]
