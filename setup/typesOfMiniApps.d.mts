/** An argument, a field of a result, or an attribute. */
export interface Field {
  /** With the names of the objects around it, such as `userInfo.nickName`. */
  name: string
  type: string
  /** Empty if it has none. */
  description: string
  /** Of an attribute. */
  default?: string
  isOptional: boolean
}

export interface FunctionTypes {
  description: string
  /** Of a function that takes options. */
  options: Field[]
  /** Of other functions. */
  parameters: Field[]
  /** Fields of the result, of the event of a listener, or of an object. */
  result: Field[]
  /** What a function without options returns, as its comment says. */
  returns: string
  resultType: string
  /** Methods of the task that a function returns. */
  task: Field[]
}

export interface TagTypes {
  description: string
  attributes: Field[]
  events: { name: string; description: string; detail: Field[] }[]
  /** Besides the default one. */
  slots: string[]
}

export interface TypesOfMiniApps {
  functions: Record<string, FunctionTypes>
  tags: Record<string, TagTypes>
  /** Attributes and events that all tags have. */
  common: Field[]
}

export function typesOfMiniApps(): TypesOfMiniApps
