/** The claims of a person at the sandbox's identity provider. */
export interface Person {
  sub: string
  email: string
  email_verified: boolean
  given_name: string
  family_name: string
}

const person = (
  sub: string,
  given_name: string,
  family_name: string,
  email: string,
  email_verified = true,
) => ({
  sub,
  email,
  email_verified,
  given_name,
  family_name,
})

/** Customers, one of them with an unverified address, and the owner of the demo store. */
export const PEOPLE: readonly Person[] = [
  person('ada', 'Ada', 'Byron', 'ada@people.example'),
  person('charles', 'Charles', 'Babbage', 'charles@people.example'),
  person('mallory', 'Mallory', 'Unknown', 'mallory@people.example', false),
  person('hanne', 'Hanne', 'Clausen', 'owner@harbor.example'),
]
