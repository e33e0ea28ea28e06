// Reads the types that editors show while somebody writes a mini app: of the functions of neu and of the tags, with
// their comments. The compiler API is that of the TypeScript 6 of apps/console, as in vueTypes.cjs.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** As TypeScript writes paths. */
const packages = `${join(root, 'packages').replaceAll('\\', '/')}/`
const editor = join(root, 'packages/vite-plugin/editor/client.d.ts')
const table = join(root, 'packages/runtime/src/neu/table/types.ts')
const tagTypes = join(root, 'packages/tags/src/types.ts')

/** Returns the types by function and by tag. Takes seconds. */
export function typesOfMiniApps() {
  const ts = createRequire(join(root, 'apps/console/package.json'))('typescript')
  const program = createProgram(ts)
  const checker = program.getTypeChecker()
  const { NoTruncation, UseAliasDefinedOutsideCurrentScope: anyScope } = ts.TypeFormatFlags
  const { Undefined, BooleanLike } = ts.TypeFlags

  const commentOf = (symbol) =>
    ts
      .displayPartsToString(symbol.getDocumentationComment(checker))
      .replace(/(?<!\n)\n(?![\n-])/g, ' ')
      .trim()
  const tagsOf = (symbol, name) =>
    symbol.getJsDocTags(checker).flatMap((tag) => (tag.name === name ? [ts.displayPartsToString(tag.text)] : []))
  const fileOf = (symbol) => symbol?.declarations?.[0]?.getSourceFile().fileName ?? ''
  const isOwn = (symbol) => fileOf(symbol).startsWith(packages)

  /** Writes a type with the values of unions instead of their names. */
  function textOf(type) {
    const constraint = type.flags & ts.TypeFlags.Instantiable ? checker.getBaseConstraintOfType(type) : undefined
    if (constraint && constraint !== type) return textOf(constraint)
    // Types of other packages keep their names.
    const { aliasSymbol, aliasTypeArguments } = type
    if (aliasSymbol && !isOwn(aliasSymbol) && !aliasTypeArguments) return aliasSymbol.name
    if (type.isUnion()) {
      const types = type.types.filter((each) => !(each.flags & Undefined))
      const booleans = types.filter((each) => each.flags & BooleanLike)
      const others = types.filter((each) => !(each.flags & BooleanLike)).map((each) => textOf(each))
      // `boolean` is the union of true and false, and tags accept the text of it.
      const words =
        booleans.length === 2
          ? ['boolean', ...others.filter((word) => !/^"(?:true|false)"$/.test(word))]
          : [...booleans.map((each) => textOf(each)), ...others]
      // TypeScript orders numbers by their first use.
      if (words.every((word) => /^\d+$/.test(word))) words.sort()
      return words.map((word) => word.replace(/^"(.*)"$/, "'$1'")).join(' | ')
    }
    if (checker.isArrayType(type)) {
      const text = textOf(checker.getTypeArguments(type)[0])
      return / (?:\||=>) /.test(text) ? `(${text})[]` : `${text}[]`
    }
    if (type.getCallSignatures().length > 0) return 'function'
    if (!type.aliasTypeArguments && isPlainObject(type)) return 'object'
    return checker.typeToString(type, undefined, NoTruncation | anyScope).replace(/"/g, "'")
  }

  /** Returns whether the fields of a type are described: an object that this repository declares. */
  function isPlainObject(type) {
    if (checker.isArrayType(type) || type.getCallSignatures().length > 0) return false
    const fields = type.getProperties()
    return fields.length > 0 && fields.every(isOwn)
  }

  /** Returns the fields of an object, and of the objects and lists of objects in it. */
  function fieldsOf(type, place = '', seen = []) {
    return type
      .getProperties()
      .filter(({ name }) => !name.includes('#'))
      .flatMap((symbol) => {
        const name = `${place}${symbol.name}`
        const itsType = checker.getNonNullableType(checker.getTypeOfSymbol(symbol))
        const field = {
          name,
          type: textOf(checker.getTypeOfSymbol(symbol)),
          description: commentOf(symbol),
          isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
        }
        const item = checker.isArrayType(itsType) ? checker.getTypeArguments(itsType)[0] : itsType
        const isNew = isPlainObject(item) && !seen.includes(item) && seen.length < 3
        return isNew ? [field, ...fieldsOf(item, `${name}${item === itsType ? '.' : '[].'}`, [...seen, item])] : [field]
      })
  }

  function functionOf(symbol) {
    const type = checker.getTypeOfSymbol(symbol)
    const none = { options: [], parameters: [], result: [], returns: '', resultType: '', task: [] }
    const description = commentOf(symbol)
    if (type.symbol?.name === 'Api') {
      const [options, result, task] = checker.getTypeArguments(type)
      return {
        ...none,
        description,
        options: fieldsOf(options),
        result: fieldsOf(result),
        task: task.flags & Undefined ? [] : fieldsOf(task),
      }
    }
    const [signature] = type.getCallSignatures()
    if (!signature) return { ...none, description, result: isPlainObject(type) ? fieldsOf(type) : [] }
    const comments = tagsOf(symbol, 'param').map((text) => /^(\S+)\s+(?:- )?([\s\S]*)$/.exec(text) ?? [])
    const parameters = signature.getParameters().flatMap((parameter) => {
      const its = checker.getNonNullableType(checker.getTypeOfSymbol(parameter))
      const declaration = parameter.valueDeclaration
      const [, , comment = ''] = comments.find(([, name]) => name === parameter.name) ?? []
      const field = {
        name: parameter.name,
        type: textOf(checker.getTypeOfSymbol(parameter)),
        description: (commentOf(parameter) || comment).replaceAll('\n', ' '),
        isOptional: declaration !== undefined && checker.isOptionalParameter(declaration),
      }
      return isPlainObject(its) ? [field, ...fieldsOf(its, `${parameter.name}.`)] : [field]
    })
    const [listener] = signature.getParameters()
    const listens = listener?.name === 'listener' && checker.getNonNullableType(checker.getTypeOfSymbol(listener))
    const event = listens ? listens.getCallSignatures()[0]?.getParameters()[0] : undefined
    const returned = event ? checker.getTypeOfSymbol(event) : signature.getReturnType()
    return {
      ...none,
      description,
      parameters,
      resultType: textOf(returned),
      returns: tagsOf(symbol, 'returns').join(' ').replaceAll('\n', ' '),
      result: isPlainObject(returned) ? fieldsOf(returned) : [],
    }
  }

  function tagOf(symbol) {
    const instance = checker.getTypeOfSymbol(symbol).getConstructSignatures()[0].getReturnType()
    const typeOf = (name) => checker.getTypeOfSymbol(instance.getProperty(name))
    const props = typeOf('$props').getProperties().filter(isOwn)
    const attributes = props.filter(
      (each) => each.name !== 'modelValue' && !isCommon(each) && !/^on[A-Z]/.test(each.name),
    )
    const defaults = defaultsOf(attributes)
    return {
      description: commentOf(symbol),
      attributes: attributes.flatMap((each) => {
        const [field, ...inner] = fieldOf(each, kebab)
        const given = defaults[each.name]
        return [given === undefined ? field : { ...field, default: given }, ...inner]
      }),
      events: [...listenersOf(props), ...eventsOf(kebab(symbol.name).slice(1))],
      slots: typeOf('$slots')
        .getProperties()
        .filter(isOwn)
        .map(({ name }) => name)
        .filter((name) => name !== 'default'),
    }
  }

  /** Returns the events whose detail is in a table beside the attributes. */
  function eventsOf(tag) {
    const all = checker.getTypeAtLocation(findInterface(program.getSourceFile(tagTypes), 'TagEvents'))
    const own = all.getProperty(tag)
    if (!own) return []
    return checker
      .getTypeOfSymbol(own)
      .getProperties()
      .map((event) => {
        const detail = checker.getTypeOfSymbol(event)
        return {
          name: event.name,
          description: commentOf(event),
          detail: isPlainObject(detail) ? fieldsOf(detail) : [],
        }
      })
  }

  /** Returns the events that are attributes, because they are events of the browser or depend on other attributes. */
  function listenersOf(props) {
    return props
      .filter((each) => /^on[A-Z]/.test(each.name) && !isCommon(each))
      .map((each) => {
        const type = checker.getNonNullableType(checker.getTypeOfSymbol(each))
        const [event] = type.getCallSignatures()[0].getParameters()
        const detail = checker.getTypeOfSymbol(event).getProperty('detail')
        const detailType = detail && checker.getTypeOfSymbol(detail)
        return {
          name: each.name.slice(2).toLowerCase(),
          description: commentOf(each),
          detail: detailType && isPlainObject(detailType) ? fieldsOf(detailType) : [],
        }
      })
  }

  /** Returns the defaults that a component gives to its attributes. */
  function defaultsOf(attributes) {
    const files = [...new Set(attributes.map(fileOf))]
    return Object.fromEntries(
      files.flatMap((path) => {
        const text = readFileSync(path, 'utf8')
        const source = ts.createSourceFile(
          'script.ts',
          /<script[^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? text,
          ts.ScriptTarget.Latest,
          true,
        )
        const found = []
        const visit = (node) => {
          if (ts.isCallExpression(node) && node.expression.getText() === 'withDefaults')
            found.push(
              ...node.arguments[1].properties.map(({ name, initializer }) => [name.text, initializer.getText()]),
            )
          // A prop as an object: `type` and `default`.
          if (ts.isPropertyAssignment(node) && node.name.text === 'default')
            found.push([node.parent.parent.name?.text, node.initializer.getText()])
          ts.forEachChild(node, visit)
        }
        visit(source)
        return found
          .filter(([, value]) => !/^(?:undefined|''|\(\) => .*)$/.test(value))
          .map(([name, value]) => [name, value.replace(/^'(.*)'$/, '$1')])
      }),
    )
  }

  function fieldOf(symbol, rename) {
    const [field, ...inner] = fieldsOf({ getProperties: () => [symbol] })
    return [{ ...field, name: rename(field.name) }, ...inner.map((each) => ({ ...each, name: rename(each.name) }))]
  }

  const isCommon = (symbol) => symbol.declarations[0].parent.name?.text === 'CommonAttributes'
  const kebab = (name) =>
    name.replace(/^[^.[]+/, (word) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))

  const neu = exportsOf(table).find(({ name }) => name === 'Neu')
  const functions = checker.getDeclaredTypeOfSymbol(neu).getProperties()
  const components = [...findInterface(program.getSourceFile(editor), 'GlobalComponents').members]
  const common = checker.getTypeOfSymbol(checker.getSymbolAtLocation(components[0].name))
  return {
    functions: Object.fromEntries(functions.map((symbol) => [symbol.name, functionOf(symbol)])),
    tags: Object.fromEntries(
      components.map(({ name }) => [kebab(name.text).slice(1), tagOf(checker.getSymbolAtLocation(name))]),
    ),
    common: checker
      .getTypeOfSymbol(common.getConstructSignatures()[0].getReturnType().getProperty('$props'))
      .getProperties()
      .filter((symbol) => isOwn(symbol) && isCommon(symbol))
      .flatMap((symbol) => fieldOf(symbol, kebab)),
  }

  function exportsOf(path) {
    return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)))
  }

  function findInterface(node, name) {
    if (ts.isInterfaceDeclaration(node) && node.name.text === name) return node
    return ts.forEachChild(node, (child) => findInterface(child, name))
  }
}

function createProgram(ts) {
  const requireFromVue = createRequire(createRequire(import.meta.url).resolve('vue-tsc'))
  const { proxyCreateProgram } = requireFromVue('@volar/typescript')
  const { createParsedCommandLine, createVueLanguagePlugin } = requireFromVue('@vue/language-core')
  const configuration = join(root, 'packages/vite-plugin/test/types/tsconfig.json')
  const { options: given, vueOptions } = createParsedCommandLine(ts, ts.sys, configuration)
  const options = { ...given, allowNonTsExtensions: true }
  const plugin = createVueLanguagePlugin(ts, options, vueOptions, (id) => id)
  const create = proxyCreateProgram(ts, ts.createProgram, () => [plugin])
  return create({ rootNames: [editor, table], options, host: ts.createCompilerHost(options) })
}
