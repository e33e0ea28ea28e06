<?php

// Prints where the client uses what PHP 8.1 does not have. Debian's PHP is 8.2, so that this is what 8.2 has added: what
// is newer still fails the other tests. Needs Debian's php-parser.

declare(strict_types=1);

use PhpParser\Node;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitorAbstract;
use PhpParser\ParserFactory;

require '/usr/share/php/PhpParser/autoload.php';

$visitor = new class extends NodeVisitorAbstract {
    private const FUNCTIONS = ['curl_upkeep', 'ini_parse_quantity', 'libxml_get_external_entity_loader',
        'memory_reset_peak_usage', 'openssl_cipher_key_length', 'sodium_crypto_stream_xchacha20_xor_ic'];

    /** @var list<string> */
    public array $found = [];
    public string $file = '';

    public function enterNode(Node $node): void
    {
        if ($node instanceof Node\Stmt\Class_ && ($node->flags & Node\Stmt\Class_::MODIFIER_READONLY)) {
            $this->add($node, 'a readonly class');
        }
        if ($node instanceof Node\Stmt\Trait_) {
            foreach ($node->stmts as $statement) {
                if ($statement instanceof Node\Stmt\ClassConst) {
                    $this->add($statement, 'a constant of a trait');
                }
            }
        }
        if ($node instanceof Node\UnionType) {
            foreach ($node->types as $type) {
                $this->checkPart($type);
            }
        } elseif ($node instanceof Node\FunctionLike) {
            $this->checkWhole($node->getReturnType());
        } elseif ($node instanceof Node\Param || $node instanceof Node\Stmt\Property) {
            $this->checkWhole($node->type);
        }
        if ($node instanceof Node\Expr\FuncCall && $node->name instanceof Node\Name) {
            if (in_array($node->name->toLowerString(), self::FUNCTIONS, true)) {
                $this->add($node, $node->name->toString() . '()');
            }
        }
        if ($node instanceof Node\Name && str_starts_with($node->toString(), 'Random\\')) {
            $this->add($node, $node->toString());
        }
    }

    private function checkPart(Node $type): void
    {
        if ($type instanceof Node\IntersectionType) {
            $this->add($type, 'an intersection in a union');
        }
        if ($type instanceof Node\Identifier && $type->toLowerString() === 'true') {
            $this->add($type, 'the type true');
        }
    }

    private function checkWhole(?Node $type): void
    {
        if ($type instanceof Node\Identifier && in_array($type->toLowerString(), ['null', 'false', 'true'], true)) {
            $this->add($type, "the type $type");
        }
    }

    private function add(Node $node, string $what): void
    {
        $this->found[] = "$this->file:{$node->getStartLine()}: $what";
    }
};

$parser = (new ParserFactory())->create(ParserFactory::ONLY_PHP7);
$traverser = new NodeTraverser();
$traverser->addVisitor($visitor);
foreach (array_slice($argv, 1) as $file) {
    $visitor->file = $file;
    $traverser->traverse($parser->parse(file_get_contents($file)) ?? []);
}
echo json_encode($visitor->found), "\n";
