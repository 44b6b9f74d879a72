import type { CardSetup } from '#shared/payments/card-setup.ts'
import { GatewayRefusal, type SetupStatus } from '#workers/gateways/payments.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { applySetupStatus } from './apply-setup-status.ts'

/**
 * Makes sure that the gateway can no longer complete a setup. If the gateway refuses to cancel it, it succeeded or was
 * canceled before. Then this reads the status and applies a success.
 */
export async function closeSetup(setup: CardSetup): Promise<void> {
  const { id, gatewayReference: reference, closedAtGateway } = setup
  if (!reference || closedAtGateway) return
  const outcome = await cancelOrRead(reference)
  if (outcome.status === 'open') throw new Error(`The gateway neither cancels nor completed the setup ${id}`)
  await applySetupStatus(setup, outcome)
}

async function cancelOrRead(reference: string): Promise<SetupStatus> {
  const gateway = stripeGateway()
  try {
    await gateway.cancelSetup(reference)
    return { status: 'canceled' }
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return gateway.readSetup(reference)
  }
}
