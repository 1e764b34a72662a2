import { estimateStrength } from '../../password-strength.ts'

export interface EstimateTask {
  password: string
  /** Words about the user that an attacker would try first. */
  about: string[]
}

export const ready = () => {}

export const perform = ({ password, about }: EstimateTask): number => estimateStrength(password, about)
