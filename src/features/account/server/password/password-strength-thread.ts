import { estimateStrength } from '../../password-strength.ts'

export interface EstimateTask {
  password: string
  /** Words that an attacker would try first. */
  about: string[]
}

export const ready = () => {}

/** 0 to 4. */
export const perform = ({ password, about }: EstimateTask): number => estimateStrength(password, about)
