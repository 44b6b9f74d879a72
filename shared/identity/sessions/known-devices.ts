import ipaddr from 'ipaddr.js'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { AccountName } from '../account.ts'
import type { Device } from './session.ts'

/** How many of an account's last sessions are looked at. */
export const LOOKED_AT = 20

/** SQL of where the last sessions of an account came from: $1 is its type, $2 its id. */
export const LAST_DEVICES = `
  select ip, user_agent from sessions
  where store_id = ${CURRENT_STORE} and account_type = $1 and account_id = $2::uuid
  order by id desc limit ${LOOKED_AT}`

/** Whether none of an account's last sessions came from the device. Without any, there is nothing to be news beside. */
export const isUnknown = (device: Device, last: readonly Device[]): boolean =>
  last.length > 0 && !isKnown(device, last)

/** Whether one of an account's last sessions came from the device. */
export const isKnown = (device: Device, last: readonly Device[]): boolean =>
  last.some((known) => traceOf(known) === traceOf(device))

const READ_LAST_DEVICES = { name: 'last_devices', text: LAST_DEVICES }

/** Where the last sessions of an account came from; of one that is not there, nowhere. */
export async function lastDevices(storeId: string, { type, id }: AccountName): Promise<Device[]> {
  const rows = await readInStore(storeId, READ_LAST_DEVICES, [type, id])
  return rows.map(([ip = null, userAgent = null]) => ({ ip, userAgent }))
}

/** What stays the same of a device: its network, and its program but for the version, which changes by itself. */
export const traceOf = ({ ip, userAgent }: Device): string =>
  `${networkOf(ip)} ${(userAgent ?? '').replace(/[\d.]+/g, '')}`

const IPV4_BITS = 24
const IPV6_BITS = 48

function networkOf(ip: string | null): string {
  if (!ip || !ipaddr.isValid(ip)) return ''
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${IPV4_BITS}`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_BITS}`).toString()
}
