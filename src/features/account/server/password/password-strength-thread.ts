import { estimateStrength } from '../../password-strength.ts'

export interface EstimateTask {
  password: string
  /** The user's name and address. */
  about: string[]
}

export const ready = () => {}

export const perform = ({ password, about }: EstimateTask): number => estimateStrength(password, about)
