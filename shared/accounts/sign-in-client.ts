import type { Device } from '#shared/identity/device.ts'

/** The browser or app that signs in. */
export interface SignInClient {
  ip: string
  device: Device
  /** The token of the guest's cart; undefined without one. */
  cartToken: string | undefined
}
