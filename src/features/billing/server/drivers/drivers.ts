import type { MethodId } from '../../methods.ts'
import type { DriverId } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { manualDriver } from './manual.ts'
import type { PaymentDriver } from './port.ts'
import { simulatorDriver } from './simulator.ts'
import { xenditDriver } from './xendit/driver.ts'

const factories: Record<DriverId, (deps: BillingDeps) => PaymentDriver> = {
  simulator: simulatorDriver,
  manual: manualDriver,
  xendit: xenditDriver,
}

/** An order may outlive the configuration under which it was placed. */
export function findDriver(deps: BillingDeps, id: DriverId): PaymentDriver | undefined {
  return deps.config.payment.drivers.includes(id) ? factories[id](deps) : undefined
}

/** The first of PAYMENTS that offers the method. */
export function driverFor(deps: BillingDeps, method: MethodId): PaymentDriver | undefined {
  return deps.config.payment.drivers.map((id) => factories[id](deps)).find((driver) => driver.offers(method))
}
