import { personalData } from './personal-data.ts'

export const looks = { personalData }
