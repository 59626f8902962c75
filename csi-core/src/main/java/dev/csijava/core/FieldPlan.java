package dev.csijava.core;

import com.google.common.base.CaseFormat;
import com.google.common.collect.ImmutableList;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one field of a message is read and checked, worked out once per message type. */
final class FieldPlan {
  private final FieldDescriptor field;
  private final @Nullable Method mapGetter;
  private final FieldRule[] rules;
  private final @Nullable MessageRules nested;

  /**
   * @param owner any message of the generated class that has the field
   * @param nested the rules of the field's own message type; null if it has none
   */
  FieldPlan(
      Message owner, FieldDescriptor field, List<FieldRule> rules, @Nullable MessageRules nested) {
    this.field = field;
    this.mapGetter = field.isMapField() ? mapGetter(owner, field) : null;
    this.rules = rules.toArray(new FieldRule[0]);
    this.nested = nested;
  }

  FieldDescriptor field() {
    return field;
  }

  ImmutableList<FieldRule> rules() {
    return ImmutableList.copyOf(rules);
  }

  void check(Message message, RuleWalk walk) {
    Object value = read(message);
    walk.enter(field);
    for (FieldRule rule : rules) {
      rule.check().check(value, rule.rule(), walk);
    }
    if (nested != null) {
      if (value instanceof Message single) {
        nested.check(single, walk);
      } else if (value instanceof List<?> list) {
        for (int i = 0; i < list.size() && !walk.settled(); i++) {
          walk.at(i);
          nested.check((Message) list.get(i), walk);
        }
      }
    }
    walk.leave();
  }

  private @Nullable Object read(Message message) {
    if (mapGetter != null) {
      return readMap(mapGetter, message);
    }
    if (!field.isRepeated()
        && field.getJavaType() == JavaType.MESSAGE
        && !message.hasField(field)) {
      return null;
    }
    return message.getField(field);
  }

  // getField would build, and keep in the message, a list of entries beside each map.
  private static Object readMap(Method getter, Message message) {
    try {
      return getter.invoke(message);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("can't read " + getter.getName(), e);
    }
  }

  private static Method mapGetter(Message owner, FieldDescriptor field) {
    String name =
        "get" + CaseFormat.LOWER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, field.getName()) + "Map";
    try {
      return owner.getClass().getMethod(name);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(owner.getClass().getName() + " has no " + name, e);
    }
  }
}
