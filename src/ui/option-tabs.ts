import { createContext } from 'react'

/** Where the buttons for groups of options stand on phones: below the options, which scroll. */
export const OptionTabs = createContext<HTMLElement | null>(null)
