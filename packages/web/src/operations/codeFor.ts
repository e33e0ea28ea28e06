/** Languages of generated code, with the file endings that highlighters know. */
export const codeLanguages = ['curl', 'Node', 'Python', 'Go', 'PHP', 'Java'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

/** A request to write as code. Credentials are read from environment variables, and are never part of the code. */
export interface CodeRequest {
  /** Absolute URL without query. */
  url: string
  method: string
  /** Location of the parameters. */
  place: 'query' | 'form' | 'multipart' | 'json'
  /** Texts by name; without timestamp and sign if `signed`. Unused for `json`. */
  parameters: readonly (readonly [name: string, value: string])[]
  /** Body of a `json` request. */
  json?: string | undefined
  /** Name of the file in the part `fileData`. */
  file?: string | undefined
  /** Adds timestamp and sign (open-api §4.1). */
  signed: boolean
  /** Header whose value is `prefix`, followed by an environment variable. */
  credential?: { header: string; prefix: string; variable: string } | undefined
}

const secretVariable = 'SOUK_SECRET'

/** Writes a request as a program that sends it and prints the response. */
export function codeFor(language: CodeLanguage, request: CodeRequest): string {
  const lines = writers[language](request)
  const comment = ['Node', 'Go', 'Java'].includes(language) ? '//' : '#'
  const variable = request.signed ? secretVariable : request.credential?.variable
  const notes = [
    ...(variable ? [`${comment} Set ${variable} in the environment: it is a secret.`] : []),
    ...(isMasked(request) ? [`${comment} Replace ******: these values are not stored.`] : []),
  ]
  const start = language === 'PHP' ? ['<?php'] : []
  return [...start, ...notes, ...lines, ''].join('\n')
}

function isMasked({ parameters, json }: CodeRequest): boolean {
  return json?.includes('******') === true || parameters.some(([, value]) => value.includes('******'))
}

const writers: Record<CodeLanguage, (request: CodeRequest) => string[]> = {
  curl({ url, method, place, parameters, json, file, signed, credential }) {
    const pairs = parameters.map(([name, value]) => shell(`${name}=${value}`))
    const secretPair = `"secret=$${secretVariable}"`
    const stamp = '"timestamp=$timestamp"'
    const toHash: [string, string][] = [
      ...parameters.map(([name, value]): [string, string] => [name, shell(`${name}=${value}`)]),
      ['secret', secretPair],
      ['timestamp', stamp],
    ]
    const hashed = toHash.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
    const sent = signed ? [...pairs, stamp, '"sign=$sign"'] : pairs
    const flag = place === 'multipart' ? '--form-string' : '--data-urlencode'
    const options = [
      ...(place === 'query' && sent.length > 0 ? ['-G'] : []),
      ...(method === 'GET' || (method === 'POST' && (sent.length > 0 || json)) ? [] : [`-X ${method}`]),
      ...(credential ? [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`] : []),
      ...(place === 'json' && json ? ["-H 'Content-Type: application/json'", `-d ${shell(json)}`] : []),
      ...sent.map((pair) => `${flag} ${pair}`),
      ...(file ? [`-F ${shell(`fileData=@${curlFile(file)}`)}`] : []),
    ]
    return [
      ...(signed
        ? [
            'timestamp="$(date +%s)000"',
            `sign=$(printf %s ${hashed.join(' ')} | openssl dgst -sha256 -r | cut -d ' ' -f 1)`,
          ]
        : []),
      [`curl ${shell(url)}`, ...options].join(' \\\n  '),
    ]
  },

  Node({ url, method, place, parameters, json, file, signed, credential }) {
    const type = place === 'multipart' ? 'FormData' : 'URLSearchParams'
    const fields = [
      ...parameters.map(([name, value]) => `  ${key(name)}: ${script(value)},`),
      ...(signed ? ['  timestamp: String(Date.now()),'] : []),
    ]
    const hasFields = fields.length > 0 && place !== 'json'
    const all = signed ? '{ ...parameters, sign }' : 'parameters'
    const formOf =
      place === 'multipart'
        ? [
            `const form = new FormData()`,
            `for (const [name, value] of Object.entries(${all})) form.append(name, value)`,
          ]
        : [`const form = new ${type}(${all})`]
    const headers = [
      ...(credential
        ? [`${script(credential.header)}: \`${credential.prefix}\${process.env.${credential.variable}}\``]
        : []),
      ...(place === 'json' && json ? ["'Content-Type': 'application/json'"] : []),
    ]
    const options = [
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
      ...(place === 'json' && json ? [`  body: JSON.stringify(${json}),`] : []),
      ...(hasFields && place !== 'query' ? ['  body: form,'] : []),
    ]
    const target = hasFields && place === 'query' ? `\`${url}?\${form}\`` : script(url)
    return [
      ...(signed ? ["import { createHash } from 'node:crypto'"] : []),
      ...(file ? ["import { openAsBlob } from 'node:fs'"] : []),
      ...(signed || file ? [''] : []),
      ...(hasFields ? ['const parameters = {', ...fields, '}'] : []),
      ...(signed
        ? [
            `const pairs = Object.entries({ ...parameters, secret: process.env.${secretVariable} })`,
            'const canonical = pairs',
            '  .sort(([a], [b]) => (a < b ? -1 : 1))',
            "  .map((pair) => pair.join('='))",
            "  .join('')",
            "const sign = createHash('sha256').update(canonical).digest('hex')",
          ]
        : []),
      ...(hasFields ? formOf : []),
      ...(file ? [`form.append('fileData', await openAsBlob(${script(file)}), ${script(file)})`] : []),
      options.length > 0 ? `const response = await fetch(${target}, {` : `const response = await fetch(${target})`,
      ...(options.length > 0 ? [...options, '})'] : []),
      'console.log(await response.text())',
    ]
  },

  Python({ url, method, place, parameters, json, file, signed, credential }) {
    const fields = [
      ...parameters.map(([name, value]) => `    ${script(name)}: ${script(value)},`),
      ...(signed ? ['    "timestamp": str(int(time.time() * 1000)),'] : []),
    ]
    const hasFields = fields.length > 0 && place !== 'json'
    const modules = [
      ...(signed ? ['import hashlib'] : []),
      ...(signed || credential ? ['import os'] : []),
      ...(signed ? ['import time'] : []),
      ...(place === 'multipart' ? ['import uuid'] : []),
      'from urllib.error import HTTPError',
      ...(hasFields && place !== 'multipart' ? ['from urllib.parse import urlencode'] : []),
      'from urllib.request import Request, urlopen',
    ]
    const target = hasFields && place === 'query' ? `${script(`${url}?`)} + urlencode(parameters)` : script(url)
    const data =
      place === 'json' && json
        ? [`    data=${script(json)}.encode(),`]
        : hasFields && place === 'form'
          ? ['    data=urlencode(parameters).encode(),']
          : place === 'multipart'
            ? ['    data=body,']
            : []
    const headers = [
      ...(credential
        ? [`${script(credential.header)}: ${script(credential.prefix)} + os.environ["${credential.variable}"]`]
        : []),
      ...(place === 'json' && json ? ['"Content-Type": "application/json"'] : []),
      ...(place === 'multipart' ? ['"Content-Type": f"multipart/form-data; boundary={boundary}"'] : []),
    ]
    return [
      ...modules,
      '',
      ...(hasFields ? ['parameters = {', ...fields, '}'] : []),
      ...(signed
        ? [
            `pairs = {**parameters, "secret": os.environ["${secretVariable}"]}`,
            'canonical = "".join(f"{name}={pairs[name]}" for name in sorted(pairs))',
            'parameters["sign"] = hashlib.sha256(canonical.encode()).hexdigest()',
          ]
        : []),
      ...(place === 'multipart' ? pythonMultipart(file) : []),
      'request = Request(',
      `    ${target},`,
      ...data,
      ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
      `    method="${method}",`,
      ')',
      'try:',
      '    print(urlopen(request).read().decode())',
      'except HTTPError as error:',
      '    print(error.read().decode())',
    ]
  },

  Go({ url, method, place, parameters, json, file, signed, credential }) {
    const fields = [
      ...parameters.map(([name, value]) => `\t\t${script(name)}: ${script(value)},`),
      ...(signed ? ['\t\t"timestamp": fmt.Sprint(time.Now().UnixMilli()),'] : []),
    ]
    const hasFields = fields.length > 0 && place !== 'json'
    const isForm = hasFields && place !== 'multipart'
    const hasJson = place === 'json' && json
    const target = hasFields && place === 'query' ? `${script(`${url}?`)}+form.Encode()` : script(url)
    const body = hasJson
      ? `strings.NewReader(${script(json)})`
      : isForm && place === 'form'
        ? 'strings.NewReader(form.Encode())'
        : place === 'multipart'
          ? 'body'
          : 'nil'
    const type = hasJson
      ? '"application/json"'
      : isForm && place === 'form'
        ? '"application/x-www-form-urlencoded"'
        : place === 'multipart'
          ? 'writer.FormDataContentType()'
          : undefined
    const modules = [
      ...(place === 'multipart' ? ['bytes'] : []),
      ...(signed ? ['crypto/sha256'] : []),
      'fmt',
      'io',
      ...(place === 'multipart' ? ['mime/multipart'] : []),
      'net/http',
      ...(isForm ? ['net/url'] : []),
      ...(signed || credential || file ? ['os'] : []),
      ...(signed ? ['sort'] : []),
      ...(body.startsWith('strings') ? ['strings'] : []),
      ...(signed ? ['time'] : []),
    ]
    return [
      'package main',
      '',
      'import (',
      ...modules.map((name) => `\t"${name}"`),
      ')',
      '',
      'func check(err error) {',
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      '}',
      '',
      'func main() {',
      ...(hasFields ? ['\tparameters := map[string]string{', ...fields, '\t}'] : []),
      ...(signed ? goSign : []),
      ...(isForm
        ? ['\tform := url.Values{}', '\tfor name, value := range parameters {', '\t\tform.Set(name, value)', '\t}']
        : []),
      ...(place === 'multipart' ? goMultipart(file, hasFields) : []),
      `\trequest, err := http.NewRequest("${method}", ${target}, ${body})`,
      '\tcheck(err)',
      ...(credential
        ? [
            `\trequest.Header.Set(${script(credential.header)}, ${script(credential.prefix)}+os.Getenv("${credential.variable}"))`,
          ]
        : []),
      ...(type ? [`\trequest.Header.Set("Content-Type", ${type})`] : []),
      '\tresponse, err := http.DefaultClient.Do(request)',
      '\tcheck(err)',
      '\ttext, err := io.ReadAll(response.Body)',
      '\tcheck(err)',
      '\tfmt.Println(string(text))',
      '}',
    ]
  },

  PHP({ url, method, place, parameters, json, file, signed, credential }) {
    const fields = [
      ...parameters.map(([name, value]) => `    ${php(name)} => ${php(value)},`),
      ...(signed ? ["    'timestamp' => (string) (int) (microtime(true) * 1000),"] : []),
    ]
    const hasFields = fields.length > 0 && place !== 'json'
    const target = hasFields && place === 'query' ? `${php(`${url}?`)} . http_build_query($parameters)` : php(url)
    const headers = [
      ...(credential
        ? [`${php(`${credential.header}: ${credential.prefix}`)} . getenv('${credential.variable}')`]
        : []),
      ...(place === 'json' && json ? ["'Content-Type: application/json'"] : []),
    ]
    const body =
      place === 'json' && json
        ? php(json)
        : hasFields && place === 'form'
          ? 'http_build_query($parameters)'
          : place === 'multipart'
            ? '$parameters'
            : undefined
    return [
      ...(hasFields ? ['$parameters = [', ...fields, '];'] : []),
      ...(signed
        ? [
            `$pairs = $parameters + ['secret' => getenv('${secretVariable}')];`,
            'ksort($pairs, SORT_STRING);',
            "$canonical = '';",
            'foreach ($pairs as $name => $value) {',
            "    $canonical .= $name . '=' . $value;",
            '}',
            "$parameters['sign'] = hash('sha256', $canonical);",
          ]
        : []),
      ...(file ? [`$parameters['fileData'] = new CURLFile(${php(file)});`] : []),
      `$request = curl_init(${target});`,
      'curl_setopt_array($request, [',
      `    CURLOPT_CUSTOMREQUEST => '${method}',`,
      ...(headers.length > 0 ? [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`] : []),
      ...(body ? [`    CURLOPT_POSTFIELDS => ${body},`] : []),
      '    CURLOPT_RETURNTRANSFER => true,',
      ']);',
      'echo curl_exec($request), PHP_EOL;',
    ]
  },

  Java({ url, method, place, parameters, json, file, signed, credential }) {
    const puts = [
      ...parameters.map(([name, value]) => `        parameters.put(${java(name)}, ${java(value)});`),
      ...(signed ? ['        parameters.put("timestamp", String.valueOf(System.currentTimeMillis()));'] : []),
    ]
    const hasFields = puts.length > 0 && place !== 'json'
    const target = hasFields && place === 'query' ? `${java(`${url}?`)} + form` : java(url)
    const { body, type } = javaBody(place, json, hasFields)
    return [
      ...javaImports,
      'public class Main {',
      '    public static void main(String[] args) throws Exception {',
      ...(hasFields ? ['        var parameters = new TreeMap<String, String>();', ...puts] : []),
      ...(signed ? javaSign : []),
      ...(hasFields && place !== 'multipart'
        ? [
            '        var form = parameters.entrySet().stream()',
            '                .map(pair -> pair.getKey() + "=" + URLEncoder.encode(pair.getValue(), UTF_8))',
            '                .collect(Collectors.joining("&"));',
          ]
        : []),
      ...(place === 'multipart' ? javaMultipart(file) : []),
      `        var request = HttpRequest.newBuilder(URI.create(${target}))`,
      ...(credential
        ? [
            `                .header(${java(credential.header)}, ${java(credential.prefix)} + System.getenv("${credential.variable}"))`,
          ]
        : []),
      ...(type ? [`                .header("Content-Type", ${type})`] : []),
      `                .method("${method}", ${body})`,
      '                .build();',
      '        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
      '        System.out.println(response.body());',
      '    }',
      '}',
    ]
  },
}

/** Builds the body of a form with a file. */
const pythonMultipart = (file: string | undefined) => [
  'boundary = uuid.uuid4().hex',
  'body = b""',
  'for name, value in parameters.items():',
  '    body += f\'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"\\r\\n\\r\\n{value}\\r\\n\'.encode()',
  ...(file
    ? [
        `file = ${script(file)}`,
        'body += f\'--{boundary}\\r\\nContent-Disposition: form-data; name="fileData"; filename="{file}"\\r\\n\\r\\n\'.encode()',
        'body += open(file, "rb").read() + b"\\r\\n"',
      ]
    : []),
  "body += f'--{boundary}--\\r\\n'.encode()",
]

/** Signs the parameters. */
const goSign = [
  `\tparameters["secret"] = os.Getenv("${secretVariable}")`,
  '\tnames := []string{}',
  '\tfor name := range parameters {',
  '\t\tnames = append(names, name)',
  '\t}',
  '\tsort.Strings(names)',
  '\tcanonical := ""',
  '\tfor _, name := range names {',
  '\t\tcanonical += name + "=" + parameters[name]',
  '\t}',
  '\tdelete(parameters, "secret")',
  '\tparameters["sign"] = fmt.Sprintf("%x", sha256.Sum256([]byte(canonical)))',
]

/** Builds the body of a form with a file. */
const goMultipart = (file: string | undefined, hasFields: boolean) => [
  '\tbody := &bytes.Buffer{}',
  '\twriter := multipart.NewWriter(body)',
  ...(hasFields ? ['\tfor name, value := range parameters {', '\t\tcheck(writer.WriteField(name, value))', '\t}'] : []),
  ...(file
    ? [
        `\tcontent, err := os.ReadFile(${script(file)})`,
        '\tcheck(err)',
        `\tpart, err := writer.CreateFormFile("fileData", ${script(file)})`,
        '\tcheck(err)',
        '\t_, err = part.Write(content)',
        '\tcheck(err)',
      ]
    : []),
  '\tcheck(writer.Close())',
]

const javaImports = [
  'import static java.nio.charset.StandardCharsets.UTF_8;',
  '',
  'import java.io.*;',
  'import java.math.*;',
  'import java.net.*;',
  'import java.net.http.*;',
  'import java.net.http.HttpRequest.BodyPublishers;',
  'import java.nio.file.*;',
  'import java.security.*;',
  'import java.util.*;',
  'import java.util.stream.*;',
  '',
]

/** Signs the parameters. */
const javaSign = [
  '        var pairs = new TreeMap<>(parameters);',
  `        pairs.put("secret", System.getenv("${secretVariable}"));`,
  '        var canonical = new StringBuilder();',
  "        pairs.forEach((name, value) -> canonical.append(name).append('=').append(value));",
  '        var hash = MessageDigest.getInstance("SHA-256").digest(canonical.toString().getBytes(UTF_8));',
  '        parameters.put("sign", String.format("%064x", new BigInteger(1, hash)));',
]

function javaBody(place: CodeRequest['place'], json: string | undefined, hasFields: boolean) {
  const body =
    place === 'json' && json
      ? `BodyPublishers.ofString(${java(json)})`
      : hasFields && place === 'form'
        ? 'BodyPublishers.ofString(form)'
        : place === 'multipart'
          ? 'BodyPublishers.ofByteArray(body.toByteArray())'
          : 'BodyPublishers.noBody()'
  const type =
    place === 'json' && json
      ? '"application/json"'
      : hasFields && place === 'form'
        ? '"application/x-www-form-urlencoded"'
        : place === 'multipart'
          ? '"multipart/form-data; boundary=" + boundary'
          : undefined
  return { body, type }
}

/** Builds the body of a form with a file. */
function javaMultipart(file: string | undefined): string[] {
  const part = (disposition: string) =>
    `body.write(("--" + boundary + "\\r\\nContent-Disposition: form-data; ${disposition}\\r\\n\\r\\n"`
  return [
    '        var boundary = UUID.randomUUID().toString();',
    '        var body = new ByteArrayOutputStream();',
    '        for (var pair : parameters.entrySet()) {',
    `            ${part('name=\\"" + pair.getKey() + "\\"')} + pair.getValue() + "\\r\\n").getBytes(UTF_8));`,
    '        }',
    ...(file
      ? [
          `        var file = Path.of(${java(file)});`,
          `        ${part('name=\\"fileData\\"; filename=\\"" + file.getFileName() + "\\"')}).getBytes(UTF_8));`,
          '        body.write(Files.readAllBytes(file));',
          '        body.write("\\r\\n".getBytes(UTF_8));',
        ]
      : []),
    '        body.write(("--" + boundary + "--\\r\\n").getBytes(UTF_8));',
  ]
}

/** Quotes an argument for a POSIX shell. */
function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Quotes the name of a file for a form of curl, where commas and semicolons separate. */
const curlFile = (name: string): string => `"${name.replace(/["\\]/g, '\\$&')}"`

/** Quotes a text for JavaScript, Python and Go. */
const script = (text: string): string => JSON.stringify(text)

/** Writes the name of a property in JavaScript. */
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : script(name))

function php(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Quotes a text for Java, in ASCII, because the encoding of source files depends on the machine. */
function java(text: string): string {
  return script(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
