package dev.csijava.core.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks by key, shared or exclusive, of which a call takes all that it needs at once.
 *
 * <p>Each key has one queue in order of arrival, of those that hold it and those that wait for it.
 * A call enters all its queues in one step and has its locks when nobody before it in any of them
 * is in its way. So it only ever waits for calls that came earlier: there is no deadlock, and
 * nobody starves, neither a writer behind readers nor a reader behind writers. A queue exists only
 * while somebody is in it.
 */
final class KeyedLocks {
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<LockKey, Queue> queues = new HashMap<>();

  /**
   * Waits until the call has all its locks, or the time is up.
   *
   * @return a ticket; if it has its locks it must be given back
   * @throws InterruptedException if the thread was interrupted while it waited; nothing is held
   *     then
   */
  Ticket acquire(OperationKeys keys, Duration wait) throws InterruptedException {
    mutex.lock();
    try {
      Ticket ticket = new Ticket(keys, mutex.newCondition());
      enter(ticket);
      long left = wait.toNanos();
      try {
        while (!ticket.granted && left > 0) {
          left = ticket.turn.awaitNanos(left);
        }
      } catch (InterruptedException e) {
        leave(ticket);
        throw e;
      }
      if (!ticket.granted) {
        ticket.obstacle = describeObstacle(ticket);
        leave(ticket);
      }
      return ticket;
    } finally {
      mutex.unlock();
    }
  }

  /** Gives back all locks of a ticket. */
  void release(Ticket ticket) {
    mutex.lock();
    try {
      leave(ticket);
    } finally {
      mutex.unlock();
    }
  }

  /** How many keys somebody holds or waits for. */
  int size() {
    mutex.lock();
    try {
      return queues.size();
    } finally {
      mutex.unlock();
    }
  }

  /** How many calls are in the queue of a key. */
  int size(LockKey key) {
    mutex.lock();
    try {
      Queue queue = queues.get(key);
      return queue == null ? 0 : queue.tickets.size();
    } finally {
      mutex.unlock();
    }
  }

  private void enter(Ticket ticket) {
    boolean free = true;
    for (Map.Entry<LockKey, Boolean> key : ticket.keys.exclusive().entrySet()) {
      Queue queue = queues.computeIfAbsent(key.getKey(), k -> new Queue());
      boolean exclusive = key.getValue();
      free &= exclusive ? queue.tickets.isEmpty() : queue.exclusives == 0;
      queue.tickets.add(ticket);
      queue.exclusives += exclusive ? 1 : 0;
    }
    ticket.granted = free;
  }

  private void leave(Ticket ticket) {
    List<Map.Entry<LockKey, Queue>> waitedFor = new ArrayList<>();
    for (Map.Entry<LockKey, Boolean> key : ticket.keys.exclusive().entrySet()) {
      Queue queue = queues.get(key.getKey());
      if (queue == null || !queue.tickets.remove(ticket)) {
        continue;
      }
      if (queue.tickets.isEmpty()) {
        queues.remove(key.getKey());
      } else if (queue.exclusives > 0) {
        waitedFor.add(Map.entry(key.getKey(), queue));
      }
      queue.exclusives -= key.getValue() ? 1 : 0;
    }
    // In a second step, since who waits may wait for several of these keys.
    waitedFor.forEach(entry -> grantAtHead(entry.getKey(), entry.getValue()));
  }

  /** Wakes those at the head of a queue who have nobody in the way any more, in any queue. */
  private void grantAtHead(LockKey key, Queue queue) {
    boolean head = true;
    for (Ticket ticket : queue.tickets) {
      boolean exclusive = ticket.keys.isExclusive(key);
      if (exclusive && !head) {
        return;
      }
      if (!ticket.granted && isFree(ticket)) {
        ticket.granted = true;
        ticket.turn.signal();
      }
      if (exclusive) {
        return;
      }
      head = false;
    }
  }

  private boolean isFree(Ticket ticket) {
    return ticket.keys.exclusive().keySet().stream()
        .allMatch(key -> inTheWay(ticket, key).isEmpty());
  }

  /** Who came before in one queue and does not go together with the ticket. */
  private List<Ticket> inTheWay(Ticket ticket, LockKey key) {
    Queue queue = queues.get(key);
    if (queue == null) {
      return List.of();
    }
    boolean exclusive = ticket.keys.isExclusive(key);
    List<Ticket> found = new ArrayList<>();
    for (Ticket other : queue.tickets) {
      if (other == ticket) {
        break;
      }
      if (exclusive || other.keys.isExclusive(key)) {
        found.add(other);
      }
    }
    return found;
  }

  /**
   * What a caller is told who waited in vain: one that runs if there is any, else one that waits.
   */
  private String describeObstacle(Ticket ticket) {
    String waits = "";
    for (LockKey key : ticket.keys.exclusive().keySet()) {
      for (Ticket other : inTheWay(ticket, key)) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - other.since);
        if (other.granted) {
          return "%s is busy: %s has been at it for %d ms".formatted(key, other.keys.rpc(), millis);
        }
        waits =
            "%s is busy: %s has waited for it for %d ms".formatted(key, other.keys.rpc(), millis);
      }
    }
    return waits;
  }

  private static final class Queue {
    private final Set<Ticket> tickets = new LinkedHashSet<>();
    private int exclusives;
  }

  /** A call's place in the queues of its keys; guarded by the mutex, then its caller's alone. */
  static final class Ticket {
    private final OperationKeys keys;
    private final Condition turn;
    private final long since = System.nanoTime();
    private boolean granted;
    private String obstacle = "";

    private Ticket(OperationKeys keys, Condition turn) {
      this.keys = keys;
      this.turn = turn;
    }

    /** Whether the call has its locks. */
    boolean isGranted() {
      return granted;
    }

    /** What was in the way when the time was up, as the beginning of a sentence. */
    String obstacle() {
      return obstacle;
    }
  }
}
